import type { Command } from '../metering/meter.ts'

/** Prices manual transactions and computes the figures of their portfolio. */
export const recomputePortfolio = (portfolioId: string): Command => ({
  workflow: 'recomputePortfolio',
  workflowId: `portfolio:${portfolioId}`,
  input: { portfolioId },
  signal: 'changed',
})

/** Computes the combined figures of an account after its portfolios changed. */
export const refreshAccount = (accountId: string): Command => ({
  workflow: 'refreshAccount',
  workflowId: `account:${accountId}`,
  input: { accountId },
  signal: 'changed',
})

/** Deletes the remaining rows of a removed portfolio. */
export const removePortfolio = (input: { accountId: string; portfolioId: string }): Command => ({
  workflow: 'removePortfolio',
  workflowId: `remove:${input.portfolioId}`,
  input,
})
