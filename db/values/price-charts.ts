/** Points of one chart call of DefiLlama. */
export const POINTS_PER_CHART = 500
