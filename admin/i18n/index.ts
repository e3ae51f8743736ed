import en from "./en.json"
import exportsEn from "./exports.en.json"
import exportsRu from "./exports.ru.json"
import overviewEn from "./overview.en.json"
import overviewRu from "./overview.ru.json"
import payoutsEn from "./payouts.en.json"
import payoutsRu from "./payouts.ru.json"
import problemsEn from "./problems.en.json"
import problemsRu from "./problems.ru.json"
import ru from "./ru.json"
import subscriptionsEn from "./subscriptions.en.json"
import subscriptionsRu from "./subscriptions.ru.json"

// The namespace is our own: the dashboard merges the texts of all plugins, and "translation" is the dashboard's.
export default {
  en: {
    paymentService: {
      ...en,
      ...overviewEn,
      ...payoutsEn,
      ...problemsEn,
      ...subscriptionsEn,
      exports: exportsEn,
    },
  },
  ru: {
    paymentService: {
      ...ru,
      ...overviewRu,
      ...payoutsRu,
      ...problemsRu,
      ...subscriptionsRu,
      exports: exportsRu,
    },
  },
}
