import type { AreaSpec } from '../area.ts'

/** Risks of tokens: rights of the owner, fees, honeypots. */
export const riskArea: AreaSpec = {
  name: 'risk',
  sources: [
    {
      name: 'goplus',
      meaning: 'Token risks',
      keyMeaning: '`<app key>:<app secret>`: 100 tokens per call instead of one',
      sandbox: { path: '/goplus' },
      without: 'No risks of tokens on EVM networks',
      urlVariable: 'GOPLUS_URL',
      defaultUrl: 'https://api.gopluslabs.io',
      key: {
        variable: 'GOPLUS_API_KEY',
        gives: '100 tokens a call instead of one',
        from: 'https://docs.gopluslabs.io',
        isRequired: false,
      },
      // With the burst 30 in any minute.
      requestsPerSecond: 0.45,
      burst: 3,
    },
    {
      name: 'rugcheck',
      meaning: 'Token risks on Solana',
      sandbox: { path: '/rugcheck' },
      without: 'No risks of tokens on Solana',
      urlVariable: 'RUGCHECK_URL',
      defaultUrl: 'https://api.rugcheck.xyz',
      requestsPerSecond: 0.5,
      burst: 3,
    },
  ],
  questions: async () => (await import('./questions.ts')).riskQuestions,
  requests: async () => (await import('./requests.ts')).riskRequests,
  schedules: [
    // Checks the contracts of listed coins.
    {
      id: 'refresh-risks',
      workflow: 'refreshRisks',
      everySeconds: 900,
      jitterSeconds: 60,
      input: null,
      after: ['refresh-listings'],
    },
  ],
  orders: { checkTokens: 'heads' },
  tables: ['token_risks'],
  rereads: ['checkTokens'],
  freshnessTargetSeconds: 86_400,
}
