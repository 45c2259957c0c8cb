/**
 * A trace, version 1: a version line, header lines, and one event on each line. Which fields an
 * event has is not a matter of this grammar but of the table of events, so that a wrong field can
 * be explained by what the event takes.
 */
parser grammar TraceGrammar;

options {
  tokenVocab = TraceLexer;
}

trace : NEWLINE* version (directive | NEWLINE)* (event | NEWLINE)* EOF ;

version : magic=WORD number=(NUMBER | WORD) NEWLINE ;

directive
  : name=DIRECTIVE
    (arguments+=(WORD | NUMBER | STRING))*
    (keys+=KEY values+=(NUMBER | WORD | STRING))*
    NEWLINE
  ;

event
  : sequence=NUMBER time=NUMBER actor=WORD name=WORD
    (keys+=KEY values+=(NUMBER | WORD | STRING))*
    NEWLINE
  ;
