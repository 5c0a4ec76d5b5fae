import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sqlFiles } from '../../db/sql-files.ts'

// Names and contents of the SQL files of the areas.

const read = (kind: Parameters<typeof sqlFiles>[0]) =>
  sqlFiles(kind).map(({ name, url }) => ({ name, text: readFileSync(url, 'utf8') }))
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found)

test('names of migrations have date, time and words, and are unique across areas', () => {
  const names = sqlFiles('migrations').map(({ name }) => name)
  expect(names.filter((name) => !/^\d{8}-\d{4}(-[a-z0-9]+)+$/.test(name))).toEqual([])
  const stamps = names.map((name) => name.slice(0, 13))
  expect(stamps).toEqual([...new Set(stamps)])
})

test('a file creates one function or procedure of its name, with a comment before it', () => {
  const files = read('functions')
  expect(files.length).toBeGreaterThan(50)
  for (const { name, text } of files) {
    expect(matches(text, /^create\b.* (?:function|procedure) ([\w.]+)/gm), name).toEqual([name])
    expect(text, name).toMatch(/^-- .*\n(?:-- .*\n)*create or replace (?:function|procedure) /)
  }
})

test('a file creates one view of its name, and optionally the same view in as_of', () => {
  for (const { name, text } of read('views')) {
    expect(
      matches(text, /create or replace view ([\w.]+)/g).filter((view) => view !== `as_of.${name}`),
      name,
    ).toEqual([name])
    expect(text, name).toMatch(/^-- /)
  }
})

test('a file of rows has a place in the order, because rows refer to others, and is written from code', () => {
  const files = read('rows')
  expect(files.map(({ name }) => Number(name.split('-')[0]))).toEqual(files.map((_, i) => i + 1))
  for (const { name, text } of files)
    expect(text, name).toMatch(/^-- From .*: "sluice openapi" writes this file\.\n/)
})

test('a file creates the triggers of the table of its name, and no other file does', () => {
  for (const { name, text } of read('triggers')) {
    const statements = matches(text, /^create ((?:.|\n)*?;)$/gm)
    expect(statements.length, name).toBeGreaterThan(0)
    for (const statement of statements)
      expect(statement, name).toMatch(
        new RegExp(`^(or replace|constraint) trigger \\w+ [^;]*? on ${name}\\b`),
      )
  }
  const names = sqlFiles('triggers').map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
