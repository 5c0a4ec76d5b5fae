import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = process.env.SLUICE_REALDATA ?? join(import.meta.dirname, '../../../shared/realdata')

/** Folder of recorded real payloads, which is no part of the project; null where it is not there. */
export const realdata: string | null = existsSync(FOLDER) ? FOLDER : null
