const TURN_MS = 2_000
const SETTLING_MS = 500

/** Where the noisy account asks: nowhere, the API within its rate, or the API at ten times its rate. */
export const TURNS = ['silent', 'in rate', 'noisy'] as const
export type Turn = (typeof TURNS)[number]

/** They follow each other so fast that what else the machine does is in all of them. */
export const turnAt = (atMs: number): Turn => TURNS[Math.floor(atMs / TURN_MS) % TURNS.length]!

/** False while an account may still use what it has saved up, or answers of the turn before are on their way. */
export const isSettled = (atMs: number): boolean => atMs % TURN_MS >= SETTLING_MS
