import type { AskDeps, Questions } from '../source-questions.ts'
import { createEsplora } from './sources/esplora.ts'
import { createSolanaRpc } from './sources/solana-rpc.ts'

export const chainQuestions = ({ http, config }: AskDeps): Questions => ({
  esplora: () => createEsplora({ http, url: config.sources['esplora']!.url, reorgDepth: 1 }).head(),
  solana: () => createSolanaRpc({ http, url: config.sources['solana']!.url }).head(),
})
