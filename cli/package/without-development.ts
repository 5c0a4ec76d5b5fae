interface Lock {
  packages: Record<string, { dev?: boolean; devDependencies?: unknown }>
}

/** A copy of a package-lock.json without the packages of developers, which users do not get. */
export function withoutDevelopment(text: string): Lock {
  const lock = JSON.parse(text) as Lock
  const packages = Object.entries(lock.packages)
    .filter(([, { dev }]) => !dev)
    .map(([path, entry]) => [path, path === '' ? { ...entry, devDependencies: undefined } : entry] as const)
  return { ...lock, packages: Object.fromEntries(packages) }
}
