import { printClientTypes } from '../api/print-client-types.ts'
import { printOpenApi } from '../api/print-openapi.ts'

export interface GeneratedFile {
  /** Below the folder of the project. */
  file: string
  print: () => string
}

/** What is written from the route table and committed. */
export const GENERATED_FILES: readonly GeneratedFile[] = [
  { file: 'docs/openapi.json', print: printOpenApi },
  { file: 'client/api-types.ts', print: printClientTypes },
]
