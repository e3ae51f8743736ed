/** @type {import("jest").Config} */
const shared = {
  rootDir: __dirname,
  testEnvironment: "node",
  transform: {
    "^.+\\.m?[jt]sx?$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2022",
          parser: { syntax: "typescript", tsx: true, decorators: true },
          transform: { decoratorMetadata: true, react: { runtime: "automatic" } },
        },
      },
    ],
  },
  // This library has only ES modules, which jest can load only when they are made into others.
  transformIgnorePatterns: ["/node_modules/(?!hucre/)"],
  modulePathIgnorePatterns: ["<rootDir>/.medusa/", "<rootDir>/src/admin"],
}

const withPostgres = {
  ...shared,
  globalSetup: "<rootDir>/tests/postgres/jest-setup.ts",
  globalTeardown: "<rootDir>/tests/postgres/jest-teardown.ts",
  testTimeout: 60_000,
}

const testsIn = (folder) => [`<rootDir>/tests/${folder}/**/*.test.{ts,tsx}`]

module.exports = {
  // Tests wait half of their time, for a store to start or for what is due later: three keep two cores busy.
  maxWorkers: 3,
  // What a file leaves in memory slows down those after it in the same process.
  workerIdleMemoryLimit: "1GB",
  watchman: false,
  testSequencer: "<rootDir>/tests/longest-first.cjs",
  projects: [
    { ...shared, displayName: "unit", testMatch: testsIn("unit") },
    { ...shared, displayName: "model", testMatch: testsIn("model") },
    { ...withPostgres, displayName: "integration", testMatch: testsIn("integration") },
    { ...withPostgres, displayName: "instances", testMatch: testsIn("instances") },
    { ...withPostgres, displayName: "package", testMatch: testsIn("package") },
    { ...withPostgres, displayName: "browser", testMatch: testsIn("browser") },
    { ...withPostgres, displayName: "storefront", testMatch: testsIn("storefront") },
  ],
}
