import type { Target } from '../api/well-spelled-requests.ts'

/** Returns the arguments of a tool for the request `target` (path and query) of a route. */
export function argumentsOf({ path, parameters }: Pick<Target, 'path' | 'parameters'>, target: string) {
  const [asked, query] = target.split('?') as [string, string?]
  const segments = asked.split('/')
  const args: Record<string, unknown> = {}
  path.split('/').forEach((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name !== undefined) args[name] = decodeURIComponent(segments[index]!)
  })
  for (const [name, text] of new URLSearchParams(query)) {
    const schema = parameters.find((one) => one.name === name)?.schema
    args[name] =
      schema?.['type'] === 'array' ? text.split(',') : schema?.['type'] === 'integer' ? Number(text) : text
  }
  return args
}
