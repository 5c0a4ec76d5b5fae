import { MAX_PARAM_LENGTH, type Route } from '../route.ts'

export interface MatchedPath {
  /** The routes of the path, one per method. */
  rows: readonly Route[]
  params: Record<string, string>
}

/** Finds the routes of a path below /v1 as the router does: literals before parameters. null: not found */
export function createMatchRoute(routes: readonly Route[]): (path: string) => MatchedPath | null {
  const patterns = [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, rows]) => ({ rows, segments: path.split('/') }))
    .sort((a, b) => compareSegments(a.segments, b.segments))
  return (path) => {
    const parts = decodeSegments(path)
    if (!parts) return null
    for (const { rows, segments } of patterns) {
      const params = matchSegments(segments, parts)
      if (params) return { rows, params }
    }
    return null
  }
}

const nameOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1]

/**
 * At the first segment where one pattern has a literal and the other a parameter, the literal sorts first.
 */
function compareSegments(a: readonly string[], b: readonly string[]): number {
  const kinds = (segments: readonly string[]) => segments.map((one) => (nameOf(one) ? '1' : '0')).join('')
  return kinds(a) < kinds(b) ? -1 : 1
}

/** null for escapes that are not UTF-8 */
function decodeSegments(path: string): string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

function matchSegments(segments: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (segments.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index]!
    const name = nameOf(segment)
    if (name === undefined ? part !== segment : part.length > MAX_PARAM_LENGTH) return null
    if (name !== undefined) params[name] = part
  }
  return params
}
