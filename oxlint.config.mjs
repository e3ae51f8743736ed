/** A feature's acts stand in its folder, its pure rules in `rules/`, its SQL in `statements/`. */
const OTHERS_THAN_SETTINGS = "payments|payouts|problems|reconciliation|exports|subscriptions"
const FEATURES = `${OTHERS_THAN_SETTINGS}|settings`
const ENTRIES = "api|jobs|policies|providers|scripts|subscribers|workflows"
const KNOWS_MEDUSA = { regex: "^@medusajs/", message: "This folder knows nothing of Medusa." }
const OWN_ACTS = { regex: "^\\.\\./[a-z-]+$", message: "Rules and statements import no acts." }

/** Where the features meet: the files of each that others may import. Its other files are its own. */
const MEETING_PLACES = {
  payments: [
    "ports",
    "target-lock",
    "queue",
    "read-places",
    "read-transaction",
    "apply-decision",
    "book-refund",
    "follow-order",
    "search",
    "rules/{ledger,timing,transaction}",
    "statements/*",
  ],
  payouts: ["draft-payout", "send-payout", "rules/*", "statements/payouts"],
  problems: ["actions", "money-back", "open-problem", "rules/*", "statements/*"],
  reconciliation: ["find-differences", "service-list", "rules/comparison"],
  settings: ["accounts", "keys", "options"],
  subscriptions: ["statements/lookups"],
}
const MEET = Object.entries(MEETING_PLACES).map(([feature, places]) => ({
  group: [
    `**/${feature}/*`,
    `**/${feature}/*/*`,
    ...places.map((place) => `!**/${feature}/${place}`),
  ],
  message: "This file is its feature's own; see MEETING_PLACES.",
}))

/**
 * What a folder of src may not import; CONTRIBUTING says why. Each path continues what follows the `../`. No file is in two entries:
 * oxlint would heed the last one alone.
 */
const mayNotImport = [
  {
    files: "src/{service,values}/**/*.ts",
    patterns: [KNOWS_MEDUSA],
    paths: [`(${FEATURES}|${ENTRIES}|database|medusa|modules|refusals|texts)(/|$)`],
  },
  {
    files: "src/texts/**/*.ts",
    patterns: [KNOWS_MEDUSA],
    paths: [`(${ENTRIES}|database|medusa|modules|service|values)(/|$)`],
  },
  {
    files: `src/{${FEATURES.replaceAll("|", ",")}}/*.ts`,
    patterns: MEET,
    paths: [`(${ENTRIES})(/|$)`],
  },
  {
    files: "src/*/rules/*.ts",
    patterns: [KNOWS_MEDUSA, OWN_ACTS, ...MEET],
    paths: [
      `(${ENTRIES}|database|medusa|refusals|service|[a-z]+/statements)(/|$)`,
      // All of it but `tables`, because only the models can tell the rows' types.
      "modules/payment-service($|/[a-su-z])",
      `(${FEATURES})/[a-z-]+$`,
    ],
  },
  {
    files: "src/*/statements/*.ts",
    patterns: [OWN_ACTS, ...MEET],
    paths: [`(${ENTRIES}|medusa)(/|$)`, `(${OTHERS_THAN_SETTINGS})/[a-z-]+$`],
  },
  {
    files: "src/medusa/**/*.ts",
    patterns: [],
    paths: [`(${ENTRIES}|database|service)(/|$)`, `(${FEATURES})/(statements/|[a-z-]+$)`],
  },
  {
    files: "src/database/**/*.ts",
    patterns: [],
    // Of the module, only the tables' types.
    paths: [`(${FEATURES}|${ENTRIES}|medusa)(/|$)`, "modules/payment-service($|/[a-su-z])"],
  },
  {
    files: "src/modules/**/*.ts",
    patterns: [],
    paths: [`(${ENTRIES}|medusa)(/|$)`, `(${OTHERS_THAN_SETTINGS})/[a-z-]+$`],
  },
  {
    // They are loaded before the features' workflows are, so they name files.
    files: "src/{providers,policies,scripts}/**/*.ts",
    patterns: [],
    paths: ["api(/|$)"],
  },
  {
    files: "src/{jobs,subscribers,workflows}/**/*.ts",
    patterns: [],
    paths: ["api(/|$)", `(${FEATURES})/[a-z-]+$`],
  },
  {
    files: "src/api/*.ts",
    patterns: [],
    paths: [`(${FEATURES})/[a-z-]+$`],
  },
  {
    // Some folders of its routes have the features' names, too; they are nearer than the features.
    files: "src/api/*/**/*.ts",
    patterns: [],
    paths: [`(\\.\\./){2,}(${FEATURES})/[a-z-]+$`],
  },
]
const guardedImports = mayNotImport.map(({ files, patterns, paths }) => ({
  files: [files],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...patterns,
          ...paths.map((path) => ({
            regex: `^(\\.\\./)+${path}`,
            message: `${files} does not import this; see the map in CONTRIBUTING.`,
          })),
        ],
      },
    ],
  },
}))

/** Besides the rules of the category "correctness", of which many need types, too. */
const strictWithTypes = [
  "ban-ts-comment",
  "no-deprecated",
  "no-dynamic-delete",
  "no-empty-object-type",
  "no-explicit-any",
  "no-generated-empty-object-type",
  "no-invalid-void-type",
  "no-mixed-enums",
  "no-namespace",
  "no-non-null-asserted-nullish-coalescing",
  "no-non-null-assertion",
  "no-require-imports",
  "no-unnecessary-boolean-literal-compare",
  "no-unnecessary-condition",
  "no-unnecessary-template-expression",
  "no-unnecessary-type-arguments",
  "no-unnecessary-type-assertion",
  "no-unnecessary-type-constraint",
  "no-unnecessary-type-conversion",
  "no-unnecessary-type-parameters",
  "no-unsafe-argument",
  "no-unsafe-assignment",
  "no-unsafe-call",
  "no-unsafe-enum-comparison",
  "no-unsafe-function-type",
  "no-unsafe-member-access",
  "no-unsafe-return",
  "only-throw-error",
  "prefer-literal-enum-member",
  "prefer-promise-reject-errors",
  "prefer-reduce-type-parameter",
  "prefer-return-this-type",
  "related-getter-setter-pairs",
  "unified-signatures",
  "use-unknown-in-catch-callback-variable",
]
const errors = (rules) => Object.fromEntries(rules.map((rule) => [rule, "error"]))

export default {
  plugins: ["typescript", "react"],
  categories: { correctness: "error" },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: "error" },
  // src/admin is a generated link to admin/, which is linted where it is.
  // The shop's packages are installed only where it is built; the build checks its types.
  ignorePatterns: [
    "tests/storefront/shop/",
    "node_modules/",
    ".medusa/",
    ".cache/",
    "dist/",
    "coverage/",
    "src/admin/",
    "src/admin",
  ],
  rules: {
    ...errors([
      "no-array-constructor",
      "no-case-declarations",
      "no-console",
      "no-empty",
      "no-fallthrough",
      "no-prototype-builtins",
      "no-regex-spaces",
      "no-useless-constructor",
      "preserve-caught-error",
    ]),
    eqeqeq: ["error", "always", { null: "ignore" }],
    "react/rules-of-hooks": "error",
    "react/exhaustive-deps": "error",
    // A page that reads something when it opens says at once that it is reading.
    "react/set-state-in-effect": "off",
    // An age is shown as it is now; pages ask again each minute.
    "react/purity": "off",
    // Texts are sorted as they are.
    "typescript/require-array-sort-compare": "off",
    "no-unused-vars": [
      "error",
      // `const { secret, ...rest } = options` is how a field is left out.
      { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
    ],
  },
  overrides: [
    {
      files: ["**/*.{ts,tsx}"],
      rules: {
        ...errors(strictWithTypes.map((rule) => `typescript/${rule}`)),
        // Express and React take functions whose promise nobody waits for.
        "typescript/no-misused-promises": ["error", { checksVoidReturn: false }],
        "typescript/restrict-plus-operands": [
          "error",
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        // A number or a boolean in a sentence reads as it should; objects are still refused.
        "typescript/restrict-template-expressions": [
          "error",
          { allowNumber: true, allowBoolean: true },
        ],
        "typescript/return-await": ["error", "error-handling-correctness-only"],
      },
    },
    ...guardedImports,
    {
      files: ["admin/**/*.{ts,tsx}"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                // Texts are JSON; the name of a file of code has no ending here.
                regex: "^(\\.\\./)+src/[^.]+$",
                message:
                  "Of src, the dashboard imports the texts, and in lib/answers.ts the types of the routes' answers.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["admin/lib/answers.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          { patterns: [{ regex: "^(\\.\\./)+src/", allowTypeImports: true }] },
        ],
      },
    },
    {
      files: ["storefront/**/*.{ts,tsx}"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                // Whatever is no compiled name, which begins with a dot and ends in ".js".
                group: ["*", "!react", "!uqr", "!./**/*.js", "!../**/*.js"],
                message:
                  "The components reach React, uqr and each other, by compiled names: they run in any shop, without a bundler of ours.",
              },
              {
                regex: "^(\\.\\./)+(src|admin|demo|tests)/",
                message: "The components know nothing of the plugin.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["simulator/**/*.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                regex: "^\\.\\./",
                message:
                  "The simulator knows nothing of the plugin: a stand-in that does proves nothing.",
              },
            ],
          },
        ],
      },
    },
    {
      // Command-line programs speak by console.
      files: ["**/*.{mjs,cjs}", "bench/*.ts", "demo/*.ts"],
      rules: { "no-console": "off" },
    },
    {
      // Without types, whatever comes from a library is unknown.
      files: ["**/*.{mjs,cjs}"],
      env: { node: true, es2024: true },
      rules: {
        "no-undef": "error",
        "typescript/restrict-template-expressions": "off",
        "typescript/unbound-method": "off",
      },
    },
    {
      files: ["tests/**/*.{ts,tsx}"],
      rules: {
        // JSON that came over HTTP is asserted on, field by field; that is its check.
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-return": "off",
        "typescript/no-non-null-assertion": "off",
      },
    },
  ],
}
