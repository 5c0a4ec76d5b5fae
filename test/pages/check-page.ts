import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// What is wrong with a page, as lines that name the element.

/** Rules whose outcome depends on width or colours. */
const OF_LOOKS = ['color-contrast', 'target-size', 'scrollable-region-focusable']

/** What axe-core finds. The page needs scripts. */
async function violations(page: Page, options: { onlyLooks?: boolean } = {}): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  const which = { resultTypes: ['violations'], ...(options.onlyLooks && { runOnly: OF_LOOKS }) }
  const found = (await page.evaluate(`axe.run(${JSON.stringify(which)})`)) as AxeResults
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`,
  )
}

/** What is wider than the window. */
export async function tooWide(page: Page): Promise<string[]> {
  const over = (await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth
    ? [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > clientWidth).slice(-2).map(({ outerHTML }) => outerHTML.slice(0, 200))
    : [])(document.documentElement)`)) as string[]
  return over.map((one) => `is wider than the window: ${one}`)
}

/** Drawings beside text, such as bars in tables, that are higher than two lines of it. */
export async function swollen(page: Page): Promise<string[]> {
  const high = (await page.evaluate(
    `[...document.querySelectorAll('td svg, .legend svg')].filter((one) => one.getBoundingClientRect().height > 48).slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 200))`,
  )) as string[]
  return high.map((one) => `is higher than its text: ${one}`)
}

/** Buttons that somebody sees without scripts and that do nothing then. */
export async function idleButtons(page: Page): Promise<string[]> {
  const idle = (await page.evaluate(
    `[...document.querySelectorAll('button')].filter((one) => one.checkVisibility() && (!one.form || one.type === 'button')).map(({ outerHTML }) => outerHTML)`,
  )) as string[]
  return idle.map((one) => `does nothing without scripts: ${one.slice(0, 200)}`)
}

const WATCH_FOCUS = `(() => {
  const wanted = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
    // Of radio buttons with one name the arrow keys reach the others.
    .filter((one) => one.type !== 'radio' || one === document.querySelector('input[name="' + one.name + '"]:checked') ||
      !document.querySelector('input[name="' + one.name + '"]:checked'))
  window.toReach = new Set(wanted)
  window.unseen = []
  const see = (one) => {
    if (!window.toReach.delete(one)) return
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    const { width, height } = one.getBoundingClientRect()
    if (outlineStyle === 'none' || parseFloat(outlineWidth) === 0 || width * height === 0) window.unseen.push(one.outerHTML.slice(0, 200))
  }
  document.addEventListener('focusin', ({ target }) => see(target))
  document.activeElement.blur()
  return wanted.length
})()`

/** Controls that the Tab key does not reach, and those whose focus is not to be seen. */
export async function lostToKeyboard(page: Page): Promise<string[]> {
  const count = (await page.evaluate(WATCH_FOCUS)) as number
  // Fields of a date take several presses.
  for (let presses = 0, left = count; left > 0 && presses < 4 * count + 20; presses += left) {
    for (let i = 0; i < left; i++) await page.keyboard.press('Tab')
    const now = (await page.evaluate('window.toReach.size')) as number
    left = Math.min(now, 20)
  }
  const [lost, unseen] = (await page.evaluate(
    '[[...window.toReach].map((one) => one.outerHTML.slice(0, 200)), window.unseen]',
  )) as [string[], string[]]
  return [
    ...lost.map((one) => `Tab does not reach ${one}`),
    ...unseen.map((one) => `the focus is not seen on ${one}`),
  ]
}

/** What is wrong with a page of a site on a desktop and on a phone, in light and dark, by keyboard. */
export async function problemsWith(page: Page, site: string, path: string): Promise<string[]> {
  await page.setViewportSize({ width: 1_200, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(site + path)
  const onDesktop = [
    ...(await tooWide(page)),
    ...(await swollen(page)),
    ...(await violations(page)),
    ...(await lostToKeyboard(page)),
  ]
  await page.setViewportSize({ width: 360, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const onPhone = [
    ...(await tooWide(page)),
    ...(await swollen(page)),
    ...(await violations(page, { onlyLooks: true })),
  ]
  return [
    ...onDesktop.map((one) => `${path}: ${one}`),
    ...onPhone.map((one) => `${path} on a dark phone: ${one}`),
  ]
}
