import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expressions, RULES, SHOWN_BY, watchedMetrics } from './watched-metrics.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)

test('every alert has a section in the runbooks, and every section an alert', () => {
  const alerts = matches(RULES, /^ +- alert: (\w+)$/gm)
  const sections = matches(read('docs/runbooks.md'), /^## (\w+)$/gm)
  expect(alerts.length).toBeGreaterThan(20)
  expect(sections).toEqual(alerts)
})

test('every section has the parts Means, Look and Mend, and its links and panels exist', () => {
  const [, ...sections] = read('docs/runbooks.md').split(/^## /m)
  const anchors = sections.map((section) => `#${section.split('\n', 1)[0]!.toLowerCase()}`)
  for (const section of sections) {
    for (const part of ['**Means.**', '**Look.**', '**Mend.**']) expect(section).toContain(part)
    for (const link of matches(section, /\]\((#\w+)\)/g)) expect(anchors).toContain(link)
    for (const file of matches(section, /\]\((\w[\w-]*\.md)\)/g)) expect(read(`docs/${file}`)).not.toBe('')
  }
  const panels = matches(read('ops/grafana/dashboards/sluice.json'), /"title": "([^"]+)"/g)
  for (const quoted of matches(read('docs/runbooks.md'), /[Pp]anels? ("[^".]+"(?:(?:, | and )"[^".]+")*)/g))
    for (const panel of matches(quoted, /"([^"]+)"/g)) expect(panels).toContain(panel)
})

test('every expression reads a metric, and a test checks every metric in its process', () => {
  for (const expression of expressions())
    expect(expression).toMatch(/sluice_|temporal_|nodejs_|process_|up\{/)
  const shown = (name: string) => Object.values(SHOWN_BY).some((names) => names.test(name))
  expect(watchedMetrics().filter((name) => !shown(name))).toEqual([])
})

test('docs/configuration.md describes the variables of telemetry', () => {
  const described = read('docs/configuration.md')
  const used = matches(read('ops/telemetry/config.ts'), /'([A-Z][A-Z_]{5,})'/g)
  expect(used.length).toBeGreaterThan(4)
  for (const name of used) expect(described).toContain(`| \`${name}\` `)
})
