import type { OpenApiDocument, Operation } from '../openapi.ts'

/** An operation and its page. */
export interface DocsOperation {
  /** In upper case. */
  method: string
  /** Below /v1, parameters in braces. */
  path: string
  operation: Operation
  tag: string
  href: string
}

/** Path of the page of a tag. */
export const tagHref = (tag: string): string => `/v1/docs/${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

const operationHref = ({ tags, operationId }: Pick<Operation, 'tags' | 'operationId'>): string =>
  `${tagHref(tags[0]!)}/${operationId}`

/** All operations of a document, in its order. */
export function docsOperations({ paths }: Pick<OpenApiDocument, 'paths'>): DocsOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      tag: operation.tags[0]!,
      href: operationHref(operation),
    })),
  )
}
