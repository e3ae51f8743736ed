import js from "@eslint/js"
import { defineConfig, globalIgnores } from "eslint/config"
import prettier from "eslint-config-prettier/flat"
import tseslint from "typescript-eslint"

const typescript = ["**/*.{ts,tsx}"]

/** What each folder of src may import of the others; CONTRIBUTING says why. */
const mayImport = {
  service: [],
  settlement: [],
  medusa: ["settlement"],
  modules: ["service", "settlement"],
  transactions: ["medusa", "modules", "service", "settlement"],
  providers: ["modules", "settlement", "transactions"],
  workflows: ["medusa", "modules", "service", "settlement", "transactions"],
  simulator: [],
  policies: [],
  jobs: ["modules", "workflows"],
  subscribers: ["medusa", "modules", "settlement", "workflows"],
  api: [
    "medusa",
    "modules",
    "policies",
    "providers",
    "service",
    "settlement",
    "transactions",
    "workflows",
  ],
}
const knowsNoMedusa = ["service", "settlement", "simulator"]
const guardedImports = Object.entries(mayImport).map(([folder, allowed]) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...Object.keys(mayImport)
            .filter((other) => other !== folder && !allowed.includes(other))
            .map((other) => ({
              regex: `^(\\.\\./)+${other}(/|$)`,
              message: `src/${folder} does not import src/${other}; see the map in CONTRIBUTING.`,
            })),
          ...(knowsNoMedusa.includes(folder)
            ? [{ regex: "^@medusajs/", message: `src/${folder} knows nothing of Medusa.` }]
            : []),
        ],
      },
    ],
  },
}))

export default defineConfig(
  // src/admin is a generated link to admin/, which is linted where it is.
  // The shop's packages are installed only where it is built; the build checks its types.
  globalIgnores([
    "tests/storefront/shop/",
    "node_modules/",
    ".medusa/",
    ".cache/",
    "dist/",
    "coverage/",
    "src/admin/",
    "src/admin",
  ]),
  js.configs.recommended,
  {
    files: ["**/*.{mjs,cjs,js}"],
    languageOptions: {
      globals: {
        AbortController: "readonly",
        clearInterval: "readonly",
        clearTimeout: "readonly",
        console: "readonly",
        process: "readonly",
        setInterval: "readonly",
        setTimeout: "readonly",
        URL: "readonly",
      },
    },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: {
      globals: {
        __dirname: "readonly",
        module: "writable",
        process: "readonly",
        setTimeout: "readonly",
      },
    },
  },
  {
    files: typescript,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        // Named, because a folder's own tsconfig.json need not hold all of its files, and few, because
        // each of them loads Medusa's types again: the one of the tests holds everything for Node.
        project: [
          "tests/tsconfig.json",
          "admin/tsconfig.json",
          "storefront/tsconfig.json",
          "tests/unit/storefront/tsconfig.json",
          "demo/storefront/tsconfig.json",
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A number or a boolean in a sentence reads as it should; objects are still refused.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        // `const { secret, ...rest } = options` is how a field is left out.
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": "off",
      // Medusa's interfaces ask for promises where our answer is at hand.
      "@typescript-eslint/require-await": "off",
      // Express and React take functions whose promise nobody waits for.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      // Medusa declares classes, decorators and loaders that need nothing but a constructor.
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/consistent-type-definitions": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
    },
  },
  ...guardedImports,
  {
    files: ["storefront/**/*.{ts,tsx}"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex:
                "^(?!\\.{1,2}/|react$|uqr$)|^(\\.\\./)+(src|admin|demo|tests)/|^\\..*(?<!\\.js)$",
              message:
                "The components reach React, uqr and each other, by compiled names: they run in any shop, without a bundler of ours.",
            },
          ],
        },
      ],
    },
  },
  {
    // Command-line programs speak by console.
    files: ["bench/*.ts", "demo/*.ts", "src/simulator/cli.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["tests/**/*.{ts,tsx}"],
    rules: {
      // JSON that came over HTTP is asserted on, field by field; that is its check.
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  prettier
)
