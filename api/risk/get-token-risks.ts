import { z } from 'zod'
import type { Command } from '../../db/metering/meter.ts'
import { EVM_RISK_CHAINS, type RiskToken } from '../../db/risk/chains.ts'
import { readRiskTokens, readTokenRisks, type StoredRisk } from '../../db/risk/read-token-risks.ts'
import { notFound } from '../errors.ts'
import { networkNamed } from '../../db/values/networks.ts'
import { addressParam, enumParam, identifierParam, param } from '../params.ts'
import { oneOf } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { riskReport, riskReportSchema } from './risk-report.ts'

/** A request for an older result starts a new check. */
const MAX_AGE_MS = 24 * 3_600_000

const query = z
  .object({
    coinId: identifierParam('Coin id; use it instead of contractAddress and chain')
      .meta({ example: 'usd-coin' })
      .optional(),
    contractAddress: addressParam('Contract address; requires chain')
      .meta({ example: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' })
      .optional(),
    chain: param((text) => EVM_RISK_CHAINS.find((chain) => chain === networkNamed(text)?.blockchain), {
      enum: [...EVM_RISK_CHAINS],
      reason: (text) => oneOf(EVM_RISK_CHAINS, text),
      description: 'Network of the contract',
    }).optional(),
    sortBy: enumParam(['severity'], 'Most severe checks first; by default found risks come first').optional(),
  })
  .transform(({ coinId, contractAddress, chain, sortBy }, context) => {
    const bySeverity = sortBy === 'severity'
    const refuse = (name: string, message: string) => {
      context.addIssue({ code: 'custom', message, path: [name] })
      return z.NEVER
    }
    // Refuse ambiguous parameters: the call is expensive and must not report the wrong token.
    if (coinId !== undefined && (contractAddress !== undefined || chain !== undefined))
      return refuse('coinId', 'It must be sent without contractAddress and chain')
    if (coinId !== undefined) return { coinId, token: null, bySeverity }
    if (contractAddress === undefined && chain === undefined)
      return refuse('coinId', 'Either it, or contractAddress and chain, is required')
    if (contractAddress === undefined) return refuse('contractAddress', 'It is required with `chain`')
    if (chain === undefined) return refuse('chain', 'It is required with `contractAddress`')
    return { coinId: null, token: { blockchain: chain, address: contractAddress }, bySeverity }
  })

export const getTokenRisks = defineRoute({
  method: 'GET',
  path: '/token-risks',
  tag: 'Token risk',
  summary: 'Risks of a token',
  description:
    'Select the token by `coinId`, or by `contractAddress` with `chain`. For a coin with contracts on several networks, the first network with data is reported, in the order ethereum, binance_smart, polygon-pos, base, arbitrum-one, optimism, avalanche, solana. A token without data has empty `results`: its risks are unknown, which does not mean that it is safe. The request then starts a check, so a later call may return data.',
  query,
  response: riskReportSchema,
  credits: 5000,
  plan: 'any',
  x402: null,
  shared: { reads: ['coins', 'coin_contracts', 'token_risks'], byMinute: true },
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

/** Starts one workflow per token, even for concurrent requests. */
function checkCommand(tokens: RiskToken[]): Command {
  const { blockchain, address } = tokens[0]!
  return { workflow: 'checkTokens', workflowId: `check-tokens/${blockchain}:${address}`, input: { tokens } }
}
