/**
 * The importer of packet captures: a container reader for pcap and pcapng, a dissector for RoCEv2,
 * RoCEv1 and native InfiniBand, and the translation of frames, marks and verbs logs into the events
 * of a trace.
 */
package org.mrcheck.check.capture;
