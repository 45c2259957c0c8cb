/**
 * The words of a trace. The reader feeds bytes, so a character of this grammar is one byte of
 * UTF-8; bytes from 0x80 on only occur inside words, texts and comments.
 */
lexer grammar TraceLexer;

/** The name of a header line. */
DIRECTIVE : '%' [A-Za-z_]* ;

/** Decimal, with a sign where the field allows one, or hexadecimal. */
NUMBER : '-'? [0-9]+ | '0x' [0-9a-fA-F]+ ;

/** A field's name with the equals sign; the value follows without a blank. */
KEY : [A-Za-z_] [A-Za-z0-9_.-]* '=' ;

/** Text in double quotes. Escapes are resolved by the reader. */
STRING : '"' (~["\\\u0000-\u001f\u007f] | '\\' ~[\u0000-\u001f\u007f])* '"' ;

/** Anything else without blanks, quotes and equals signs: hosts, events, flags, names. */
WORD : ~[\u0000-\u0020\u007f"=#%] ~[\u0000-\u0020\u007f"=]* ;

NEWLINE : '\r'? '\n' ;

BLANKS  : [ \t]+ -> skip ;
COMMENT : '#' ~[\n]* -> skip ;

/** A text that does not end on its line; never right. */
OPEN_STRING : '"' (~["\\\u0000-\u001f\u007f] | '\\' ~[\u0000-\u001f\u007f])* '\\'? ;

/** Any other character; never right. */
STRAY : . ;
