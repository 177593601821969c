"""Take the picture of the live page that the docs show.

    .venv/bin/python docs/figures/live_page.py [RESULT.json PICTURE.png [dark]]

Needs Chromium and its driver. Without arguments, it learns from the table of the tutorial, shows
the result on a page, and clicks on a variable.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

import anytimebn as ab
from anytimebn.watch.page.saved import SavedPage, SavedResult

TABLE = Path(__file__).parents[2] / "examples" / "clinic.csv"
OUTPUT = Path(__file__).with_suffix(".png")
WIDTH, HEIGHT = 1360, 850
CHOSEN = "weight"
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
CHOOSE = """
for (const box of document.querySelectorAll("#canvas .box")) {
  box.style.transition = "none";
  if (box.querySelector("title").textContent === arguments[0]) {
    box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}
return document.querySelectorAll("#canvas .box").length"""


def take(result: Path, picture: Path, *, dark: bool = False) -> None:
    """Show a result on a page, and write what that looks like."""
    page = SavedPage(SavedResult(result))
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for option in (*OPTIONS, f"--user-data-dir={profile}"):
            options.add_argument(option)
        browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        try:
            size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
            browser.get(page.address)
            WebDriverWait(browser, 60).until(lambda b: b.execute_script(CHOOSE, "") > 0)
            browser.execute_script(CHOOSE, CHOSEN)
            browser.save_screenshot(str(picture))
        finally:
            browser.quit()
            page.close()
    Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True)


def main() -> None:
    """Take one picture."""
    if len(sys.argv) > 2:
        take(Path(sys.argv[1]), Path(sys.argv[2]), dark="dark" in sys.argv)
        return
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "clinic.json")
        ab.learn(TABLE).save(result)
        take(result, OUTPUT)


if __name__ == "__main__":
    main()
