/**
 * The binding language: which events of a trace are which steps of a contract, and which parameters
 * slice the trace into instances. Described in the module's README.
 */
package org.mrcheck.lang.binding;
