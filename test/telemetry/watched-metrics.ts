import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const OPS = join(import.meta.dirname, '../../ops')
export const RULES = readFileSync(join(OPS, 'prometheus/alerts.yml'), 'utf8')

/** Returns every PromQL expression of the alert rules and the dashboards. */
export function expressions(): string[] {
  const folder = join(OPS, 'grafana/dashboards')
  const panels = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
      (match) => JSON.parse(match[1]!) as string,
    ),
  )
  const rules = [...RULES.matchAll(/^ +expr: (?:>-\n((?: {10,}.*\n)+)|(.*)\n)/gm)].map(
    ([, block, line]) => block ?? line!,
  )
  return [...rules, ...panels]
}

/** Metrics by the process that exposes them; a test of each process compares. */
export const SHOWN_BY = {
  api: /^(sluice_(http|requests|credits|charges|meter|postgres|part)|nodejs|process)_/,
  worker: /^(sluice_(source|quarantined|syncs?|outbox|rows|figures|network|webhook)|temporal)(_|$)/,
  gateway: /^sluice_gateway_/,
}

/**
 * Returns the metrics in these expressions: names that are no function or keyword and not in quotes, braces
 * or `by`.
 */
export function watchedMetrics(): string[] {
  const names = expressions().flatMap((text) => {
    const bare = text
      .replaceAll(/"[^"]*"|'[^']*'/g, '')
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
      .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    return [...bare.matchAll(/[a-z_][a-z0-9_]*(?!\s*\()\b/gi)]
      .map(([name]) => name)
      .filter((name) => name.includes('_') && !name.endsWith('_'))
      .filter((name) => !FUNCTIONS.has(name))
  })
  return [...new Set(names)].toSorted()
}

const FUNCTIONS = new Set([
  'histogram_quantile',
  'min_over_time',
  'max_over_time',
  'clamp_min',
  'label_replace',
])

/** Returns the names of the metrics that a process exposes, with the parts of histograms. */
export function exposedMetrics(text: string): Set<string> {
  const names = new Set<string>()
  for (const [, name, kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    names.add(name!)
    if (kind === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`)
  }
  return names
}
