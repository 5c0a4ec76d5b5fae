import { expect } from 'vitest'

export interface Page {
  status: number
  text: string
  headers: Headers
  /** Target of the redirect; null: none. */
  location: string | null
}

/** The preview of a file. */
export type Preview = Page & {
  /** null: the file was refused */
  path: string | null
}

/** A minimal HTTP client that keeps cookies by name and does not follow redirects by itself. */
export function browse(origin: string) {
  const cookies = new Map<string, string>()

  async function send(url: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(url, origin), {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    return { status: response.status, text: await response.text(), headers: response.headers, location }
  }

  const get = (url: string) => send(url)

  const post = (url: string, fields: Record<string, string | string[]>) => {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of Array.isArray(value) ? value : [value]) body.append(name, one)
    return send(url, { method: 'POST', body })
  }

  /** Sends `file` as the file of a form. */
  const postFile = (url: string, { file, ...fields }: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('file', new Blob([file!]), 'file.csv')
    return send(url, { method: 'POST', body })
  }

  /** Uploads a file to import and returns the page of its preview, or the refusal. */
  async function uploadImport({ portfolio, file }: { portfolio: string; file: string }): Promise<Preview> {
    const fields = { csrf: await csrfOf('/account/import'), portfolio, file }
    const sent = await postFile('/account/import', fields)
    return { ...(await follow(sent, origin)), path: sent.location }
  }

  /** Confirms what a preview shows. */
  const confirmImport = async ({ path, text }: Preview): Promise<Page> => {
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1]
    const [csrf, rows, anyway] = ['csrf', 'rows', 'anyway'].map(hidden)
    return post(`${path}/add`, { csrf: csrf!, rows: rows!, ...(anyway !== undefined && { anyway }) })
  }

  /** Follows up to ten redirects. */
  async function follow(page: Page, base: string): Promise<Page> {
    let [current, at] = [page, base]
    for (let i = 0; i < 10 && current.location !== null; i++) {
      at = new URL(current.location, at).href
      current = await get(at)
    }
    return current
  }

  /** Returns the CSRF token of a page's forms. */
  async function csrfOf(url: string): Promise<string> {
    const { text, status } = await get(url)
    expect(status).toBe(200)
    return /name="csrf" value="([^"]+)"/.exec(text)![1]!
  }

  /** Submits a form with the CSRF token of the page and returns the page after it. */
  async function submit(
    url: string,
    action: string,
    fields: Record<string, string | string[]>,
  ): Promise<Page> {
    const answer = await post(action, { ...fields, csrf: await csrfOf(url) })
    return follow(answer, new URL(action, origin).href)
  }

  return { send, get, post, postFile, uploadImport, confirmImport, follow, csrfOf, submit, cookies }
}
