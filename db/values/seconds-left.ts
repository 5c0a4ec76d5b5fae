/** The time that the rest takes at the pace so far. `share`: 0 to 1. null: too little is done to tell. */
export const secondsLeft = (share: number | null, seconds: number): number | null =>
  share === null || share < 0.01 ? null : (seconds * (1 - share)) / share
