/** A user, and the client that gets tokens without one: both are linked with the demo account. */
export const DEMO_SUBJECT = 'demo'
export const SHELL_CLIENT = 'sluice-shell'
/** The user who may see the console. */
export const OPERATOR_SUBJECT = 'operator'
