/** The words of the binding language. White space and line ends only separate words. */
lexer grammar BindingLexer;

BINDING  : 'binding' ;
CONTRACT : 'contract' ;
MODULE   : 'module' ;
SAYS     : 'says' ;
NEEDS    : 'needs' ;
SLICE    : 'slice' ;
REPLAYS  : 'replays' ;
EVENT    : 'event' ;
BY       : 'by' ;
WITH     : 'with' ;

/** A name of a contract, module, event, parameter or derived value. */
NAME : [A-Za-z_] [A-Za-z0-9_]* ('.' [A-Za-z0-9_]+)* ;

/** One line of text in double quotes, without escapes. */
STRING : '"' ~["\r\n]* '"' ;

COMMENT     : '//' ~[\r\n]* -> skip ;
WHITE_SPACE : [ \t\r\n]+ -> skip ;

/** A text that does not end on its line; never right. */
OPEN_STRING : '"' ~["\r\n]* ;

/** Any other character; never right. */
STRAY : . ;
