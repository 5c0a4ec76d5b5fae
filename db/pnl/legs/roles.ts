export interface Meaning {
  /** In value, flow and basis alike. */
  counts: boolean
  /**
   * When its value crosses the border of what is measured, so that it is no profit. `unless own`: its other end is not in
   * the same scope; `if unpriced`: a coin of its swap never had a price.
   */
  flow: 'always' | 'unless own' | 'if unpriced' | 'never'
  /**
   * What is acquired costs, and what is disposed of brings: its worth at the instant; the worth of the other side; for
   * `carried`, the lots go on with their cost and dates; for `none`, 0.
   */
  basis: 'market' | 'exchanged' | 'carried' | 'none'
  /** Its worth is profit. What has no basis and is no income is a cost. */
  income: boolean
}

/** What may be meant by coins that came in for nothing: profit of that day, or capital put in at its worth. */
export const TREATMENTS = {
  income: { counts: true, flow: 'never', basis: 'none', income: true },
  flow: { counts: true, flow: 'always', basis: 'market', income: false },
} as const satisfies Record<string, Meaning>
export type Treatment = keyof typeof TREATMENTS

/**
 * What the roles of legs mean. The accounting, the statements, the words of the operator and the constraints of the
 * database follow from this table. To have staking rewards counted as capital in all accounts, write
 * `reward: TREATMENTS.flow`; an operator may say so for one account (treat-role.ts).
 */
export const ROLES = {
  transfer: { counts: true, flow: 'unless own', basis: 'market', income: false },
  // A leg of a swap.
  trade: { counts: true, flow: 'if unpriced', basis: 'exchanged', income: false },
  // The same thing in another form: wrapped, bridged, migrated.
  wrap: { counts: true, flow: 'if unpriced', basis: 'carried', income: false },
  // Paid for the transaction; positive for a rebate.
  fee: { counts: true, flow: 'never', basis: 'none', income: false },
  airdrop: TREATMENTS.income,
  // Of staking, of a programme.
  reward: TREATMENTS.income,
  interest: TREATMENTS.income,
  // A balance that grew by itself.
  rebase: TREATMENTS.income,
  // What the history does not explain.
  opening: TREATMENTS.flow,
  spam: { counts: false, flow: 'never', basis: 'none', income: false },
} as const satisfies Record<string, Meaning>
export type Role = keyof typeof ROLES

/** What an operator may have an account treat in its own way. */
export const TREATED_ROLES = ['airdrop', 'reward', 'interest', 'rebase'] as const satisfies Role[]
export type TreatedRole = (typeof TREATED_ROLES)[number]

interface Meant {
  role: Role
  /** as the operator has it in this account */
  treatment?: Treatment | undefined
}

export const meaningOf = ({ role, treatment }: Meant): Meaning =>
  treatment ? TREATMENTS[treatment] : ROLES[role]

/** A side of an exchange of one thing for another. */
export const isSwap = (leg: Meant): boolean => {
  const { basis } = meaningOf(leg)
  return basis === 'exchanged' || basis === 'carried'
}

export const rolesWhere = (test: (meaning: Meaning) => boolean): Role[] =>
  (Object.keys(ROLES) as Role[]).filter((role) => test(ROLES[role]))

/** What an operator may say of a leg: an opening is found by comparing balances. */
export type LabelRole = Exclude<Role, 'opening'>
export const LABEL_ROLES = rolesWhere(() => true).filter((role): role is LabelRole => role !== 'opening')

/** What the kinds of transactions at exchanges are. Adjustments cross the border: nothing tells where they came from. */
export const EXCHANGE_ROLES = {
  fill: 'trade',
  dust: 'trade',
  convert: 'trade',
  deposit: 'transfer',
  withdrawal: 'transfer',
  reward: 'reward',
  adjustment: 'opening',
  fee: 'fee',
  opening: 'opening',
} as const satisfies Record<string, Role>

/** A list for SQL, such as ('opening', 'transfer'). */
export const sqlList = (words: readonly string[]): string =>
  `(${words.map((word) => `'${word}'`).join(', ')})`

/** SQL: whether a role counts. */
export const countsSql = (role: string): string =>
  `${role} not in ${sqlList(rolesWhere(({ counts }) => !counts))}`
