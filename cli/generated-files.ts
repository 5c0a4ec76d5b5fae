import { printClientTypes } from '../api/print-client-types.ts'
import { printOpenApi } from '../api/print-openapi.ts'
import { printCliPage } from './cli-page.ts'
import { COMMANDS } from './commands.ts'

export interface GeneratedFile {
  /** Below the folder of the project. */
  file: string
  print: () => string
}

/** What is written from the route table and the table of commands, and committed. */
export const GENERATED_FILES: readonly GeneratedFile[] = [
  { file: 'docs/openapi.json', print: printOpenApi },
  { file: 'client/api-types.ts', print: printClientTypes },
  { file: 'docs/cli.md', print: () => printCliPage(COMMANDS) },
]
