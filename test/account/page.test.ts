import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { usageChart, usageTables } from '../../web/parts/usage-chart.ts'
import { html } from '../../web/parts/html.ts'
import { page, pageHeaders } from '../../web/parts/page.ts'
import { STYLE } from '../../web/parts/style.ts'

test('html escapes values everywhere, keeps Html as it is, and omits absent values', () => {
  const evil = `<script>"'&`
  const escaped = '&#60;script&#62;&#34;&#39;&#38;'
  expect(html`<a title="${evil}">${[evil, html`<b>${evil}</b>`, null, false, undefined, 0]}</a>`.html).toBe(
    `<a title="${escaped}">${escaped}<b>${escaped}</b>0</a>`,
  )
})

test('the policy allows only the stylesheet of the page', () => {
  const [, style] = /<style>(.*)<\/style>/s.exec(page({ title: 'x', body: html`` }))!
  const policy = pageHeaders()['content-security-policy']!
  expect(policy).toContain(`style-src 'sha256-${hash('sha256', style!, 'base64')}';`)
  expect(policy).not.toContain('unsafe')
  expect(policy).not.toContain('script-src')
})

test('a page with our own script may run it and connect only to this host', () => {
  expect(page({ title: 'x', body: html``, script: '/a.js' })).toContain('<script src="/a.js" defer></script>')
  const policy = pageHeaders({ scripted: true })['content-security-policy']!
  expect(policy).toContain(`script-src 'self'; connect-src 'self';`)
  expect(policy).not.toContain('unsafe')
})

/** Relative luminance of a colour by WCAG 2.2. */
function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const themes = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, text]) =>
  Object.fromEntries([...text!.matchAll(/--([\w-]+): (#\w+)/g)].map(([, name, colour]) => [name!, colour!])),
)

test.each([
  ['light', 0],
  ['dark', 1],
])('the %s theme has a contrast of at least 4.5 for text and 3 for graphics', (_name, index) => {
  const theme = themes[index]!
  for (const text of ['text', 'soft', 'accent', 'bad', 'good', 'odd'])
    for (const ground of ['ground', 'panel'])
      expect([text, ground, contrast(theme[text]!, theme[ground]!) >= 4.5]).toEqual([text, ground, true])
  expect(contrast(theme['on-accent']!, theme['accent']!)).toBeGreaterThanOrEqual(4.5)
  for (const drawn of ['line', 's0', 's1', 's2', 's3', 's4'])
    expect([drawn, contrast(theme[drawn]!, theme['ground']!) >= 3]).toEqual([drawn, true])
})

test('the usage chart shows 30 days, the four endpoints with the most credits, and all others', () => {
  const now = new Date('2026-03-31T12:00:00Z')
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((endpoint, n) => [
    { day: '2026-03-02', endpoint, calls: 1, credits: 10 + n },
    { day: '2026-03-31', endpoint, calls: 2, credits: 100 },
  ])
  const text = usageChart(rows, now).html + usageTables(rows).html
  expect(text.match(/<g>/g)).toHaveLength(30)
  expect(text).toMatch(/<title>2026-03-31: 600 credits<\/title>/)
  expect(text).toContain('675 credits in the last 30 days')
  const legend = [...text.matchAll(/<\/svg\s*>([^<]+)<\/?li/g)].map(([, name]) => name!.trim())
  expect(legend).toEqual(['f', 'e', 'd', 'c', 'All others'])
  // Heights match the values: the last day is the highest, and "All others" are two of its six endpoints.
  const last = text.slice(text.lastIndexOf('<g>'), text.indexOf('</svg>'))
  const heights = [...last.matchAll(/<rect[^>]*height="([\d.]+)"/gs)].map(([, height]) => Number(height))
  expect(heights).toEqual([20, 20, 20, 20, 40])
})
