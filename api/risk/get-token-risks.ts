import { z } from 'zod'
import type { Command } from '../../db/metering/meter.ts'
import { EVM_RISK_CHAINS, type RiskToken } from '../../db/risk/chains.ts'
import { readRiskTokens, readTokenRisks, type StoredRisk } from '../../db/risk/read-token-risks.ts'
import { notFound } from '../errors.ts'
import { addressParam, enumParam, identifierParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { riskReport, riskReportSchema } from './risk-report.ts'

/** What is older is asked for again, when somebody wants it. */
const MAX_AGE_MS = 24 * 3_600_000

const query = z
  .object({
    coinId: identifierParam('Coin id; instead of contractAddress and chain').optional(),
    contractAddress: addressParam('Contract; needs chain').optional(),
    chain: enumParam(EVM_RISK_CHAINS, 'Network of the contract').optional(),
    sortBy: enumParam(['severity'], 'The gravest checks first; else found risks first').optional(),
  })
  .transform(({ coinId, contractAddress, chain, sortBy }, context) => {
    const bySeverity = sortBy === 'severity'
    const refuse = (name: string) => {
      context.addIssue({ code: 'custom', message: 'invalid', path: [name] })
      return z.NEVER
    }
    // A call this dear is not answered for the wrong token.
    if (coinId !== undefined && (contractAddress !== undefined || chain !== undefined))
      return refuse('coinId')
    if (coinId !== undefined) return { coinId, token: null, bySeverity }
    if (contractAddress === undefined) return refuse(chain === undefined ? 'coinId' : 'contractAddress')
    if (chain === undefined) return refuse('chain')
    return { coinId: null, token: { blockchain: chain, address: contractAddress }, bySeverity }
  })

export const getTokenRisks = defineRoute({
  method: 'GET',
  path: '/token-risks',
  tag: 'Token risk',
  summary: 'What can go wrong with a token',
  description:
    'By `coinId`, or by `contractAddress` with `chain`. Of a coin with contracts on several networks the first with data is reported: ethereum, binance_smart, polygon-pos, base, arbitrum-one, optimism, avalanche, solana. A token without data has an empty `results`: nothing is known of it, which does not mean that it is safe; asking for it has it checked, so that a later call may find data.',
  query,
  response: riskReportSchema,
  credits: 5000,
  plan: 'any',
  x402: null,
  async handler({ query: { coinId, token, bySeverity } }, { db, now }) {
    const tokens = coinId === null ? [token] : await readRiskTokens(db, coinId)
    if (!tokens) throw notFound(`Coin with id '${coinId}' not found`)
    const stored = await readTokenRisks(db, tokens)
    const inOrder = tokens.flatMap((wanted) => stored.filter((risk) => sameToken(risk, wanted)))
    const reported = inOrder.find(({ known }) => known)
    const dueBefore = now().getTime() - MAX_AGE_MS
    const due = tokens.filter(
      (wanted) => !inOrder.some((risk) => sameToken(risk, wanted) && risk.checkedAt.getTime() >= dueBefore),
    )
    return {
      body: reported ? riskReport(reported, { bySeverity }) : { results: [] },
      asOf: reported?.fetchedAt ?? oldest(inOrder.map(({ checkedAt }: StoredRisk) => checkedAt)),
      ...(due.length > 0 && { commands: [checkCommand(due)] }),
    }
  },
})

const sameToken = (a: RiskToken, b: RiskToken) => a.blockchain === b.blockchain && a.address === b.address

/** One workflow for a token, however many ask for it at once. */
function checkCommand(tokens: RiskToken[]): Command {
  const { blockchain, address } = tokens[0]!
  return { workflow: 'checkTokens', workflowId: `check-tokens/${blockchain}:${address}`, input: { tokens } }
}
