/** A user and a client that gets tokens without a user. Both are linked to the demo account. */
export const DEMO_SUBJECT = 'demo'
export const SHELL_CLIENT = 'sluice-shell'
/** The user who may see the console. */
export const OPERATOR_SUBJECT = 'operator'
