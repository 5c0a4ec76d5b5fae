import { stripTypeScriptTypes } from 'node:module'

/** A string that names a TypeScript file: an import, or a program that a process starts. */
const TYPESCRIPT_FILE = /(['"`])([\w@./-]+)\.ts\1/g

/**
 * Returns the JavaScript of a TypeScript source. Types become spaces, so that lines and columns of stack traces
 * are those of the source, and names of its files end in ".js".
 */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(TYPESCRIPT_FILE, '$1$2.js$1')
}
