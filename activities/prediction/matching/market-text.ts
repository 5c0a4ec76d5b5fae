/** Texts and terms of a venue that say what a market is about. */
export interface MarketText {
  question: string
  /** its name within its event */
  label: string | null
  eventTitle: string | null
  rules: string | null
  /** in the venue's order */
  outcomes: readonly string[]
  endsAt: Date | null
  /** threshold that the venue states apart from the texts */
  strike: { type: string; floor: string | null; cap: string | null } | null
}
