/** Limits of one run of refreshPrediction for a venue; the next runs do the rest. */
export const PREDICTION_PACE = {
  /** markets that lists no longer have, asked for by id */
  checks: { perRun: 300 },
  trades: { perRun: 1_000 },
  /** Order books, holders and prices are read again after so many seconds. */
  details: { seconds: 900, perRun: 1_000 },
  /** markets of one activity */
  batch: 25,
} as const
