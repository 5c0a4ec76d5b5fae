import { expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { limitOf, sourceOff } from '../../activities/config.ts'
import { limitsOf, planOf, VENDORS } from '../../activities/nodes/node-plans.ts'
import { PUBLIC_NODES } from '../../activities/nodes/public-nodes.ts'
import { sourceSettings } from '../../activities/source-settings.ts'
import { replaceTables } from '../../cli/page-tables.ts'
import { readPage, sectionOf } from './read-page.ts'

// docs/live.md is compared with what workers keep to, read in another way than it is printed.

const page = readPage('docs/live.md')
const rowsUnder = (heading: string): string[][] =>
  sectionOf(page, heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1))

/** Numbers of a text; a pace by the minute as one by the second. */
const numbersIn = (text: string) =>
  [...text.matchAll(/([\d.,]*\d)( a minute)?/g)].map(
    ([, digits, byMinute]) => Number(digits!.replaceAll(',', '')) / (byMinute ? 60 : 1),
  )

const sources = AREAS.flatMap((area) => area.sources.map((spec) => ({ area, spec })))
const rows = new Map(rowsUnder('Sources').map((row) => [row[0]!.replaceAll('`', ''), row]))

test('the page lists exactly the sources that the areas declare', () => {
  expect([...rows.keys()]).toEqual(sources.map(({ spec }) => spec.name))
})

test.each(sources.map(({ area, spec }) => [spec.name, area, spec] as const))(
  '%s: pace and quota are those of a live worker with free keys',
  (name, area, spec) => {
    const env = { SOURCES: 'live', ...(spec.key?.isRequired && { [spec.key.variable]: 'key' }) }
    const [, areaName, , rate, quota, meaning, without] = rows.get(name)!
    expect(areaName).toBe(area.name)
    const kept = limitOf(spec, env)
    const pace = kept.burst > 1 ? [kept.requestsPerSecond, kept.burst] : [kept.requestsPerSecond]
    const paces = rate!.split('; ').map(numbersIn)
    expect(paces).toContainEqual(pace)
    const settings = sourceSettings(area, spec, env)
    const quotas = quota!.split('; ').map((text) => numbersIn(text)[0])
    expect(quotas).toContain(settings.quota?.units)
    if (settings.quota) expect(quota).toContain(`a ${settings.quota.per}`)
    expect([meaning, without]).not.toContain('')
  },
)

test.each(sources.map(({ spec }) => [spec.name, spec] as const))(
  '%s: the plan says whether it is on in an installation without keys',
  (name, spec) => {
    const missing = sourceOff(spec, { SOURCES: 'live' })
    const withoutKey = spec.key ? 'with or without a key' : 'no key'
    const off = missing === spec.key?.variable ? 'needs a key' : `off until \`${missing}\` is set`
    expect(rows.get(name)![2]).toBe(missing === null ? withoutKey : off)
  },
)

test('the page lists what each vendor of nodes is kept to', () => {
  const plans = rowsUnder('Plans of nodes')
  expect(plans.map(([vendor]) => vendor)).toEqual(VENDORS.map(({ host }) => host))
  for (const [vendor, rate, quota] of plans) {
    const url = `https://node.${vendor}`
    const plan = planOf(url, new Map())
    for (const { most, perMs, cost } of limitsOf(url, plan)) {
      const pace = (most * 1_000) / perMs
      expect(rate!.split('; ').map(numbersIn)).toContainEqual(cost ? [pace, most] : [pace])
    }
    expect(quota).toContain(plan.allowance ? `${plan.unit} a ${plan.allowance.per}` : 'none known')
    expect(numbersIn(quota!)).toEqual(plan.allowance ? [plan.allowance.units] : [])
  }
})

test('each variable of a key has a page of its vendor', () => {
  const keys = rowsUnder('Keys')
  const variables = sources.flatMap(({ spec }) => (spec.key ? [`\`${spec.key.variable}\``] : []))
  expect(keys.map(([variable]) => variable)).toEqual([...new Set(variables)])
  for (const [, gives, , from] of keys) {
    expect(gives).not.toBe('')
    expect(new URL(from!).protocol).toBe('https:')
  }
})

test('the page lists the public nodes in the order in which they are asked', () => {
  const hosts = Object.entries(PUBLIC_NODES).map(([network, urls]) => [
    network,
    urls.map((url) => new URL(url).host).join(', '),
  ])
  expect(rowsUnder('Public nodes')).toEqual(hosts)
})

test('a page without the heading of a table is refused', () => {
  expect(() => replaceTables('# Page\n\n## Keys\n\nno table\n', { Keys: '| a |' })).toThrow(
    'the page needs a heading "Keys" with a table below it',
  )
})
