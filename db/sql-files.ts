import { existsSync, readdirSync } from 'node:fs'

/** db/ itself. It has a folder per area, and in each a folder per kind of SQL. */
export const SQL = new URL('./', import.meta.url)

type Kind = 'migrations' | 'functions' | 'views' | 'triggers' | 'rows'

export interface SqlFile {
  /** Without folder and extension. */
  name: string
  url: URL
}

/** The .sql files of a kind, of all areas, sorted by name: first those of `public`, whose names have no schema. */
export function sqlFiles(kind: Kind, folder = SQL): SqlFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((area) => area.isDirectory())
    .map((area) => new URL(`${area.name}/${kind}/`, folder))
    .filter((inArea) => existsSync(inArea))
    .flatMap((inArea) =>
      readdirSync(inArea)
        .filter((file) => file.endsWith('.sql'))
        .map((file) => ({ name: file.slice(0, -4), url: new URL(file, inArea) })),
    )
    .toSorted((a, b) => hasSchema(a) - hasSchema(b) || (a.name < b.name ? -1 : 1))
}

const hasSchema = ({ name }: SqlFile): number => Number(name.includes('.'))
