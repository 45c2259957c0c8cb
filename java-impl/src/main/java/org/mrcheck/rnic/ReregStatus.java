package org.mrcheck.rnic;

/**
 * How re-registration ended ({@code enum ibv_rereg_mr_err_code}; the codes about fork have no
 * meaning here).
 */
public enum ReregStatus {
  /** The new attributes are in force. */
  SUCCESS,
  /** The call was wrong; nothing changed ({@code IBV_REREG_MR_ERR_INPUT}). */
  ERR_INPUT,
  /** The device refused; here nothing changed either ({@code IBV_REREG_MR_ERR_CMD}). */
  ERR_CMD
}
