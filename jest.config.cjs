const { totalmem } = require("node:os")

/**
 * Globals that no test replaces, as some do with timers and `Date`, and no library declares anew, as some do with `Buffer`.
 * Modules get them as parameters: a look at a global in jest's sandbox takes half a microsecond, which adds up to a third
 * of what a store costs.
 */
const FIXED_GLOBALS = (
  "Array BigInt Boolean Error Function JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol " +
  "TypeError WeakMap WeakSet"
).split(" ")

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
  sandboxInjectedGlobals: FIXED_GLOBALS,
  modulePathIgnorePatterns: ["<rootDir>/.medusa/", "<rootDir>/src/admin"],
}

const withPostgres = {
  ...shared,
  globalSetup: "<rootDir>/tests/postgres/jest-setup.ts",
  globalTeardown: "<rootDir>/tests/postgres/jest-teardown.ts",
}

/** The storefront's components, in a browser's document and under both of the React versions that shops have. */
const withReact = (version, packages) => ({
  ...shared,
  displayName: `storefront, React ${version}`,
  globals: { REACT_VERSION: version },
  testEnvironment: "jsdom",
  // Pages are rendered on a server before the browser takes them over.
  testEnvironmentOptions: { customExportConditions: ["node", "node-addons"] },
  setupFiles: ["<rootDir>/tests/quick/storefront/browser-parts.ts"],
  testMatch: testsIn("quick/storefront"),
  moduleNameMapper: {
    ...packages,
    // ES modules name each other's compiled files.
    "^(\\.{1,2}/.*)\\.js$": "$1",
  },
})

const testsIn = (folder) => [`<rootDir>/tests/${folder}/**/*.test.{ts,tsx}`]

module.exports = {
  // Tests wait most of their time, for Postgres or for what is due later: eight, where there is memory for them, keep two cores busy.
  maxWorkers: totalmem() > 15e9 ? 8 : 6,
  // What a file leaves in memory slows down those after it in the same process.
  workerIdleMemoryLimit: "1GB",
  // Only ends what hangs: no test may fail because a machine is busy.
  testTimeout: 900_000,
  watchman: false,
  testSequencer: "<rootDir>/tests/longest-first.cjs",
  projects: [
    {
      ...shared,
      displayName: "quick",
      testMatch: testsIn("quick"),
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/tests/quick/storefront/"],
    },
    withReact(18, {}),
    withReact(19, {
      "^react$": "react-19",
      "^react/(.*)$": "react-19/$1",
      "^react-dom$": "react-dom-19",
      "^react-dom/(.*)$": "react-dom-19/$1",
    }),
    { ...withPostgres, displayName: "integration", testMatch: testsIn("integration") },
    { ...withPostgres, displayName: "instances", testMatch: testsIn("instances") },
    { ...withPostgres, displayName: "package", testMatch: testsIn("package") },
    { ...withPostgres, displayName: "browser", testMatch: testsIn("browser") },
    { ...withPostgres, displayName: "storefront", testMatch: testsIn("storefront") },
  ],
}
