import { badRequest } from '../../api/errors.ts'

/** A submitted form. Read single fields with `text`, repeated ones with `list`. */
export interface Form {
  /** Empty if the field was not sent; throws if it was sent twice. */
  text: (name: string) => string
  list: (name: string) => string[]
  checked: (name: string) => boolean
}

export function readForm(body: unknown): Form {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, string | string[]>
  const list = (name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name]! : []
    return Array.isArray(value) ? value : [value]
  }
  const text = (name: string) => {
    const values = list(name)
    if (values.length > 1) throw badRequest(`${name} was sent twice`)
    return (values[0] ?? '').trim()
  }
  return { text, list, checked: (name) => list(name).length > 0 }
}
