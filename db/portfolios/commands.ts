import type { Command } from '../metering/meter.ts'

/** Prices what was stated by hand and computes what follows from it. */
export const recomputePortfolio = (portfolioId: string): Command => ({
  workflow: 'recomputePortfolio',
  workflowId: `portfolio:${portfolioId}`,
  input: { portfolioId },
  signal: 'changed',
})

/** Computes the figures of all portfolios together, for they are others now. */
export const refreshAccount = (accountId: string): Command => ({
  workflow: 'refreshAccount',
  workflowId: `account:${accountId}`,
  input: { accountId },
  signal: 'changed',
})

/** Removes what is left of a portfolio that was given up. */
export const removePortfolio = (input: { accountId: string; portfolioId: string }): Command => ({
  workflow: 'removePortfolio',
  workflowId: `remove:${input.portfolioId}`,
  input,
})
