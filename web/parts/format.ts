export const count = (value: number): string => value.toLocaleString('en-US')

/** Calendar day in UTC. */
export const day = (at: Date): string => at.toISOString().slice(0, 10)

export const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const time = (at: Date): string => `${at.toISOString().slice(11, 19)} UTC`
