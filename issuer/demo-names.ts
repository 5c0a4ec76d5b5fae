/** The one user, and the client that gets tokens without one. Both are linked with the demo account. */
export const DEMO_SUBJECT = 'demo'
export const SHELL_CLIENT = 'sluice-shell'
