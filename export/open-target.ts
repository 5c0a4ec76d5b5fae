import { folderTarget } from './folder-target.ts'
import { s3Target } from './s3-target.ts'
import type { Target } from './target.ts'

/**
 * `where`: a folder, or s3://BUCKET/PREFIX with the variables of `s3-target.ts`. Throws if one of them is
 * missing.
 */
export const openTarget = (where: string, env: NodeJS.ProcessEnv): Target =>
  where.startsWith('s3://') ? s3Target(where, env) : folderTarget(where)
