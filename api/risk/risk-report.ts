import { z } from 'zod'
import { RISK_CHECKS, SEVERITIES } from '../../db/risk/catalogue.ts'
import type { StoredRisk } from '../../db/risk/read-token-risks.ts'
import { networkOfBlockchain } from '../../db/values/networks.ts'

export const riskReportSchema = z.object({
  results: z
    .array(
      z.object({
        title: z.string(),
        key: z.string().regex(/^risk_[a-z_]+$/),
        value: z.enum(['true', 'false']).describe('Whether the risk was found'),
        subtitle: z.string(),
        note: z.string(),
        description: z.string(),
        severity: z.enum(SEVERITIES),
      }),
    )
    .describe('Checks with a known result; missing checks are unknown. Empty without data'),
  score: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('0 to 100, higher is riskier; absent when too little is known'),
  marketEndorsed: z
    .boolean()
    .optional()
    .describe('Whether the source lists it as trusted; absent when unknown'),
  ownershipRenounced: z
    .boolean()
    .optional()
    .describe('Whether the owner gave up ownership; absent when unknown'),
  risksProviderUrl: z.url().optional().describe('URL of the page of the source about the token'),
})

type RiskReport = z.infer<typeof riskReportSchema>

/**
 * The report on a token: found risks first, or most severe first with `bySeverity`; ties in the order of the
 * catalogue.
 */
export function riskReport(risk: StoredRisk, { bySeverity }: { bySeverity: boolean }): RiskReport {
  const found = new Set(risk.detected)
  const results = RISK_CHECKS.filter(({ key }) => found.has(key) || risk.clear.includes(key)).map(
    (check) => ({ ...check, value: found.has(check.key) ? ('true' as const) : ('false' as const) }),
  )
  const rank = (severity: (typeof SEVERITIES)[number]) => (bySeverity ? SEVERITIES.indexOf(severity) : 0)
  results.sort(
    (a, b) => rank(a.severity) - rank(b.severity) || Number(b.value === 'true') - Number(a.value === 'true'),
  )
  const { blockchain, address, score, marketEndorsed, ownershipRenounced } = risk
  return {
    results,
    ...(score !== null && { score }),
    ...(marketEndorsed !== null && { marketEndorsed }),
    ...(ownershipRenounced !== null && { ownershipRenounced }),
    risksProviderUrl:
      blockchain === 'solana'
        ? `https://rugcheck.xyz/tokens/${address}`
        : `https://gopluslabs.io/token-security/${networkOfBlockchain(blockchain)!.chainId}/${address}`,
  }
}
