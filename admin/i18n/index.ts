import en from "./en.json"
import overviewEn from "./overview.en.json"
import overviewRu from "./overview.ru.json"
import ru from "./ru.json"

// A namespace of our own: the dashboard merges the texts of all plugins, and "translation" is its own.
export default {
  en: { paymentService: { ...en, ...overviewEn } },
  ru: { paymentService: { ...ru, ...overviewRu } },
}
