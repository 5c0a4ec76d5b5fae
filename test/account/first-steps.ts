import type { Page } from 'playwright-core'

/** What a page of the docs tells a person to do in a browser. */
const STEP =
  /open `(?<path>[^`]+)`|choose \*\*(?<control>[^*]+)\*\*|fill in \*\*(?<field>[^*]+)\*\* with `(?<value>[^`]+)`|select `(?<option>[^`]+)` in \*\*(?<list>[^*]+)\*\*|pick it in \*\*(?<upload>[^*]+)\*\*|download \*\*(?<file>[^*]+)\*\*|you see \*\*(?<shown>[^*]+)\*\*/gi

export interface Followed {
  /** How many steps were done. */
  steps: number
  /** Texts of downloaded files. */
  files: string[]
}

/**
 * Does the steps of a section of the docs as they are written. `values` replaces texts that differ in each
 * installation. `beforeOpen` runs before each page that a step opens. Rejects with the step that fails.
 */
export async function followSteps(
  page: Page,
  options: {
    section: string
    url: string
    values: Record<string, string>
    beforeOpen: () => Promise<void>
  },
): Promise<Followed> {
  const { section, url, values, beforeOpen } = options
  const lines = /```csv\n([^]*?)```/.exec(section)?.[1]?.replace(/^ +/gm, '')
  const files: string[] = []

  const controlNamed = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .first()

  async function follow(step: Record<string, string | undefined>): Promise<void> {
    const { path, control, field, value, option, list, upload, file, shown } = step
    if (path !== undefined) {
      await beforeOpen()
      await page.goto(url + path)
    } else if (control !== undefined) await controlNamed(control).click()
    else if (field !== undefined) await page.getByLabel(field).fill(values[value!] ?? value!)
    else if (list !== undefined) await page.getByLabel(list).selectOption(option!)
    else if (upload !== undefined) {
      const buffer = Buffer.from(lines!)
      await page.getByLabel(upload).setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer })
    } else if (file !== undefined) {
      const started = page.waitForEvent('download')
      await controlNamed(file).click()
      const chunks = await (await (await started).createReadStream()).toArray()
      files.push(Buffer.concat(chunks as Buffer[]).toString())
    } else await page.getByText(shown!).filter({ visible: true }).first().waitFor()
  }

  const found = [...section.replace(/```csv\n[^]*?```/, '').matchAll(STEP)]
  for (const { 0: text, groups } of found)
    await follow(groups!).catch(async (error: Error) => {
      throw new Error(
        `${text}: ${error.message}\n${page.url()} shows\n${await page.locator('main').innerText()}`,
      )
    })
  return { steps: found.length, files }
}
