/** Which events of a trace are which steps of a contract, and what slices the trace. */
parser grammar BindingGrammar;

options {
  tokenVocab = BindingLexer;
}

file : clause* EOF ;

clause
  : BINDING name=NAME                                       # bindingClause
  | CONTRACT name=NAME                                      # contractClause
  | MODULE name=NAME                                        # moduleClause
  | SAYS text=STRING                                        # saysClause
  | NEEDS classes+=NAME+                                    # needsClause
  | SLICE parameters+=NAME+                                 # sliceClause
  | REPLAYS parameter=NAME                                  # replaysClause
  | EVENT name=NAME BY by+=NAME+ (WITH with+=NAME+)?        # eventClause
  ;
