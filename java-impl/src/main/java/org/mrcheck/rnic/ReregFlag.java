package org.mrcheck.rnic;

/** What re-registration changes ({@code enum ibv_rereg_mr_flags}). */
public enum ReregFlag {
  /** Which memory it is, at which address ({@code IBV_REREG_MR_CHANGE_TRANSLATION}). */
  CHANGE_TRANSLATION,
  /** Its protection domain ({@code IBV_REREG_MR_CHANGE_PD}). */
  CHANGE_PD,
  /** Its rights ({@code IBV_REREG_MR_CHANGE_ACCESS}). */
  CHANGE_ACCESS
}
