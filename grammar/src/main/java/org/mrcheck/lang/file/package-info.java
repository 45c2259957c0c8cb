/** Files that are written whole or not at all. */
package org.mrcheck.lang.file;
