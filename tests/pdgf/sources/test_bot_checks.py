"""C18: a page that asks whether somebody is human is no evidence; a page about such pages may be."""

import pytest

from pdgf.sources.reading import read
from pdgf.sources.unusable import Unusable

CHECKS = {
    "a known service": """<title>Just a moment...</title><body><h1>films.example</h1><p>Verifying you are human. This
        may take a few seconds.</p><script>window._cf_chl_opt={a:1}</script>""",
    "under a normal title": """<title>Ten quiet mysteries</title><body><p>Checking your browser before accessing the
        site.</p><noscript>Please enable JavaScript and cookies to continue</noscript><p>Ray ID: 7a1</p>""",
    "with a captcha": """<title>Films</title><body><form><p>Please confirm you are not a robot.</p>
        <div class='g-recaptcha' data-sitekey='k'></div></form>""",
    "few words": "<title>Just a moment...</title><body>Checking that you are human.",
    "a question": "<title>Just a moment</title><body><p>We are checking if you're a robot.</p>",
    "press and hold": """<title>Access to this page has been denied</title><body><div id='px-captcha'></div>
        <p>Press &amp; Hold to confirm you are a human (and not a bot).</p><p>Reference ID 1</p>""",
    "unusual traffic": """<title>Sorry...</title><body><p>Our systems have detected unusual traffic from your network.
        Your IP address: 1.2.3.4</p><form><input name='captcha'></form>""",
    "simplified Chinese": """<title>百度安全验证</title><body><div>网络不给力，请稍后重试</div>
        <p>请完成下方验证后继续操作</p><script src='https://wappass.baidu.com/static/captcha/1.js'></script>""",
    "Chinese slider": "<title>安全验证</title><body><p>请完成安全验证</p><p>为了确认您不是机器人，请拖动滑块。</p>",
    "traditional Chinese": "<title>請稍候…</title><body><p>正在檢查您的瀏覽器，請啟用 JavaScript 後繼續。</p>",
    "Japanese": """<title>お待ちください</title><body><p>ロボットではないことを確認してください。</p>
        <p>JavaScript を有効にしてください。</p>""",
    "Russian": """<title>Вы не робот?</title><body><p>Подтвердите, что запросы отправляли вы, а не робот</p>
        <form action='/showcaptcha'></form>""",
    "German": "<title>Nur einen Moment…</title><body><p>Ihr Browser wird überprüft. Bitte Javascript aktivieren.</p>",
    "French": "<title>Un instant…</title><body><p>Vérification de sécurité : activez JavaScript et les cookies.</p>",
    "Spanish": "<title>Un momento…</title><body><p>Comprobando su navegador. Debe activar JavaScript.</p>",
    "Korean": "<title>잠시만</title><body><p>사람인지 확인하는 중입니다.</p><script src='/captcha.js'></script>",
}

PAGES = {
    "an article about bot checks": "<title>Just a moment: why sites ask whether you are human</title><body>"
    + """<p>Every day people are asked to verify you are human before they read the news. Some sites show a slider,
        others say that they are checking your browser, and all of them tell you to enable JavaScript.</p>"""
    * 8,
    "a review of a film with such a name": """<title>Are You Human Too? - The Back Row</title><body>
        <p>Are you human, asks the heroine, and the answer takes twenty mild and funny episodes.</p>""",
    "a short review with a captcha under its form": """<title>Salt Winter</title><body><h1>Salt Winter</h1><p>A dry
        and slow film about a stolen bell, and a very kind one.</p><form><div class='g-recaptcha'></div></form>""",
    "a Chinese review": """<title>不是机器人</title><body><p>《铁皮管家》里的管家一再说自己不是机器人，
        观众却早就知道。整部动画轻松温柔，适合晚上看。</p>""",
    "a page of a site behind such a service": """<title>Salt Winter</title><body><p>A dry and slow film about a stolen
        bell.</p><script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>""",
    "a page that wants scripts": """<title>Salt Winter</title><body><noscript>Please enable JavaScript</noscript>
        <p>A dry and slow film about a stolen church bell, and a very kind one.</p>""",
}


def outcome(page: str) -> str:
    try:
        read(f"<!DOCTYPE html><html><head>{page}</body></html>".encode(), mime="text/html", charset="utf-8")
    except Unusable as error:
        return error.why
    return "read"


@pytest.mark.parametrize("name", CHECKS)
def test_c18_a_check_with_status_200_is_recognised(name: str) -> None:
    assert outcome(CHECKS[name]) == "bot_check"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_about_or_behind_a_check_is_read(name: str) -> None:
    assert outcome(PAGES[name]) == "read"
