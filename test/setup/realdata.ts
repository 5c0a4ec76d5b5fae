import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = process.env.SLUICE_REALDATA ?? join(import.meta.dirname, '../../../shared/realdata')

/** Folder of recorded real payloads, outside of the project. null: the folder does not exist */
export const realdata: string | null = existsSync(FOLDER) ? FOLDER : null
